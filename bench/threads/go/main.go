// Goroutines on one kernel thread, measured as ../figures.hpp says.
package main

import (
	"fmt"
	"os"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"time"
)

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
	var start time.Time
	for i := 0; i < live; i++ {
		go func(i int) {
			defer all.Done()
			runtime.Gosched()
			runtime.Gosched()
			if i == 0 {
				start = time.Now()
			}
			for turn := turns(live); turn > 0; turn-- {
				runtime.Gosched()
			}
			if i == 0 {
				fmt.Printf("%.2f\n", float64(time.Since(start).Nanoseconds())/float64(turns(live)*live))
			}
		}(i)
	}
	all.Wait()
}

func createAndJoin(count int) {
	start := time.Now()
	for i := 0; i < count; i++ {
		var one sync.WaitGroup
		one.Add(1)
		go one.Done()
		one.Wait()
	}
	fmt.Printf("%.2f\n", float64(time.Since(start).Nanoseconds())/float64(count))
}

func block(count int) {
	before := residentBytes()
	start := time.Now()
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
	fmt.Printf("%.4f %.0f\n", time.Since(start).Seconds(), (residentBytes()-before)/float64(count))
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
