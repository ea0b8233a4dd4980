#include "scheduler/admission.hpp"

#include "scheduler/admission_impl.hpp"

namespace heddle::scheduler {

template class BasicAdmission<AllRules>;

}  // namespace heddle::scheduler
