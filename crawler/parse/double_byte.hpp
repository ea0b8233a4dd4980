// The East Asian encodings of the Encoding standard (sections 10 to 12): each appends its UTF-8 to out.
#pragma once

#include <string>
#include <string_view>

namespace heddle::crawler {

void decode_gb18030(std::string_view bytes, std::string& out);
void decode_big5(std::string_view bytes, std::string& out);
void decode_shift_jis(std::string_view bytes, std::string& out);
void decode_euc_jp(std::string_view bytes, std::string& out);
void decode_iso_2022_jp(std::string_view bytes, std::string& out);
void decode_euc_kr(std::string_view bytes, std::string& out);

}  // namespace heddle::crawler
