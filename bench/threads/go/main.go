// Goroutines on one kernel thread, measured as ../figures.hpp says.
package main

import (
	"fmt"
	"os"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"syscall"
)

// Of processor time, by all kernel threads of the process.
func seconds() float64 {
	var used syscall.Rusage
	syscall.Getrusage(syscall.RUSAGE_SELF, &used)
	of := func(time syscall.Timeval) float64 { return float64(time.Sec) + float64(time.Usec)/1e6 }
	return of(used.Utime) + of(used.Stime)
}

func residentBytes() float64 {
	text, _ := os.ReadFile("/proc/self/statm")
	pages, _ := strconv.ParseFloat(strings.Fields(string(text))[1], 64)
	return pages * float64(os.Getpagesize())
}

func turns(live int) int {
	return max(8_000_000/live, 4)
}

func max(a, b int) int {
	if a > b {
		return a
	}
	return b
}

func takeTurns(live int) {
	var all sync.WaitGroup
	all.Add(live)
	var start float64
	started := 0
	for i := 0; i < live; i++ {
		go func() {
			defer all.Done()
			started++
			for {
				runtime.Gosched()
				if started == live {
					break
				}
			}
			if start == 0 {
				start = seconds()
			}
			for turn := turns(live); turn > 0; turn-- {
				runtime.Gosched()
			}
		}()
	}
	all.Wait()
	fmt.Printf("%.2f\n", (seconds()-start)*1e9/float64(turns(live)*live))
}

func createAndJoin(count int) {
	start := seconds()
	for i := 0; i < count; i++ {
		var one sync.WaitGroup
		one.Add(1)
		go one.Done()
		one.Wait()
	}
	fmt.Printf("%.2f\n", (seconds()-start)*1e9/float64(count))
}

func block(count int) {
	before := residentBytes()
	start := seconds()
	never := make(chan int)
	waiting := 0
	for i := 0; i < count; i++ {
		go func() {
			waiting++
			<-never
		}()
	}
	for waiting < count {
		runtime.Gosched()
	}
	fmt.Printf("%.4f %.0f\n", seconds()-start, (residentBytes()-before)/float64(count))
	os.Exit(0)
}

func main() {
	runtime.GOMAXPROCS(1)
	count, _ := strconv.Atoi(os.Args[2])
	switch os.Args[1] {
	case "switch":
		takeTurns(count)
	case "create":
		createAndJoin(count)
	case "blocked":
		block(count)
	}
}
